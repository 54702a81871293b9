import { dayMs } from '../../base/clock.ts'
import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { shownUser, type UserId, userWords } from '../../framework/user.ts'
import { overviewView } from '../../output/health/overview.ts'
import { followUp } from '../../output/hint.ts'
import { epochMsOf } from '../../output/time.ts'
import { type ReadParts, readParts } from './read-parts.ts'
import type { Overview } from './schema.ts'

/** Number of days after which a new scan is suggested. */
const recentDays = 30

export default defineCommand({
  user: 'token',
  output: async () => (await import('./schema.ts')).overview,
  view: overviewView(),
  calls: [
    'users.get',
    'users.authenticate',
    'biomarkers.list',
    'metrics',
    'wellbeing',
    'questions.all',
    'questions.answered',
    'recommendations',
  ],
  // The 8 parts are requested at the same time, each on its own connection.
  connections: () => 8,
  description:
    'Shows the data for a support call on one screen: the user, the last scan with its change from the average of the 30 days before, metrics, wellbeing, missing answers, and the latest change from this machine. --no-truncate names each missing answer. The requests are sent at the same time. If the service refuses a part, the reason is shown instead. If a part fails, the command exits with the code of the first failed part.',
  examples: ['facescan overview 4711', 'facescan overview 4711 --jq .metrics.metrics.sleep_quality.score'],
  async run(ctx, { user }) {
    const read = await readParts(ctx, user)
    const { overview, failure, isUnknownUser } = read
    const isEmpty = Object.values(overview).every((part) => part === null || Array.isArray(part))
    if (failure && (isEmpty || isUnknownUser)) throw failure
    return commandResult(overview, { view: overviewView(textsOf(ctx, read, user)), error: failure })
  },
})

function textsOf(ctx: Context, { overview, unavailable }: ReadParts, user: UserId | undefined) {
  const words = user === undefined ? '' : ` ${userWords(user)}`
  const command = (noun: string, flags = '') => followUp(noun + words + flags, ctx.flags)
  const reasons = new Map<string, string>(unavailable)
  for (const { part, message } of overview.problems) reasons.set(part, message)
  // `user` is undefined for an action token. An action token cannot create a scan link, so the list of scans is suggested.
  const [noun, flags] = user === undefined ? ['biomarkers list'] : chooseNext(overview, ctx.clock.now())
  return {
    name: user === undefined ? 'User of the action token' : `User ${shownUser(user)}`,
    externalUserId: user && 'external_user_id' in user ? user.external_user_id : undefined,
    reasons,
    next: command(noun, flags),
    recommendations: command('recommendations'),
  }
}

/** The next step: a new scan link if no scan is recent, a comparison if both of its periods contain scans, or else the list of scans. */
function chooseNext({ biomarkers }: Overview, nowMs: number): readonly [noun: string, flags?: string] {
  if (biomarkers === null) return ['biomarkers list']
  const ages = biomarkers.map(({ timestamp }) => nowMs - (epochMsOf(timestamp) ?? 0))
  const isRecent = (age: number) => age <= recentDays * dayMs
  if (!ages.some(isRecent)) return ['scan-url']
  const isComparable = ages.some((age) => !isRecent(age) && age <= 2 * recentDays * dayMs)
  return isComparable ? ['biomarkers compare', ` --days ${recentDays}`] : ['biomarkers list']
}
