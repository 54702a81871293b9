import { defineCommand } from '../command/define-command.ts'
import { deliver, deliveryOptions } from './deliver.ts'
import { eitherId, essential } from './who.ts'

export default defineCommand({
  user: 'either',
  options: [...deliveryOptions],
  description: 'An action token acts for one user, for a few hours. Make it right before it is used.',
  examples: [
    'facescan token --external-user-id 4711',
    'facescan token --external-user-id 4711 | facescan wellbeing --action-token -',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const token = essential(await api.users.authenticate({ user: eitherId(options) }), 'token')
    await deliver(ctx, { token }, options)
  },
})
