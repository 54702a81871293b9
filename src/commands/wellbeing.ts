import { defineCommand } from '../framework/define-command.ts'
import { wellbeingView } from '../output/health/wellbeing.ts'
import { reachUser } from './reach-user.ts'

export default defineCommand({
  user: 'token',
  many: {},
  output: 'wellbeing',
  view: wellbeingView,
  description:
    'Scores range from 0 to 100. A score of 50 is the average for the user’s age and sex. Higher is better.',
  examples: ['facescan wellbeing 4711', 'facescan wellbeing 4711 --json=status_label'],
  async run(ctx, { user: given }) {
    const { api, user } = await reachUser(ctx, given)
    return api.wellbeing({ user })
  },
})
