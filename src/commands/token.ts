import { defineCommand } from '../command.ts'
import { expiryOf } from '../expiry.ts'
import type { ScalarView } from '../output/view.ts'
import { eitherId } from './who.ts'

const tokenView: ScalarView<{ token: string }> = { kind: 'scalar', text: ({ token }) => token }

export default defineCommand({
  user: 'either',
  description: 'An action token acts for one user, for a few hours. Make it right before it is used.',
  examples: [
    'facescan token --external-user-id 4711',
    'facescan token --external-user-id 4711 | facescan wellbeing --action-token -',
  ],
  async run(ctx, _args, options) {
    const api = await ctx.api()
    const reply = await api.users.authenticate({ user: eitherId(options) })
    const expires_at = expiryOf(reply.token)
    await ctx.print({ ...reply, ...(expires_at && { expires_at }) }, tokenView)
    if (expires_at) ctx.note(`Expires at ${expires_at}.`)
  },
})
