import type { Context } from '../context.ts'
import { expiryOf } from '../expiry.ts'
import type { ScalarView } from '../output/view.ts'

export interface Link {
  url: string
  /** Absent where the URL carries no token that can be read. */
  expires_at?: string | undefined
}

const linkView: ScalarView<Link> = { kind: 'scalar', text: ({ url }) => url }

/** Prints a signed link: the bare URL on stdout, and on stderr how long it lives. */
export async function deliverLink(ctx: Context, url: string): Promise<void> {
  const expires_at = expiryOf(url)
  await ctx.print<Link>({ url, ...(expires_at && { expires_at }) }, linkView)
  if (expires_at) ctx.note(`Expires at ${expires_at}.`)
}
