import { defineCommand } from '../framework/define-command.ts'
import { deliver, deliveryOptions, printedSchema, tokenView } from './deliver.ts'
import { createToken } from './reach-user.ts'

export default defineCommand({
  user: 'either',
  many: { isSecret: true, excludes: ['copy', 'qr', 'qrFile'] },
  view: tokenView,
  output: () => printedSchema('token'),
  calls: ['users.authenticate'],
  options: { ...deliveryOptions },
  description:
    'An action token gives access to one user and is valid for a few hours. Create the token right before you use it.',
  examples: ['facescan token 4711', 'facescan token 4711 | facescan wellbeing --action-token -'],
  async run(ctx, { user, ...delivery }) {
    const api = await ctx.api()
    return deliver(ctx, 'token', () => createToken(api, user), delivery)
  },
})
