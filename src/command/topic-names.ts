/** In the order they are offered; `topics.ts` holds a page for each. */
export const topicNames = [
  'commands',
  'environment',
  'exit-codes',
  'flags',
  'formats',
  'import',
  'many-users',
  'profiles',
] as const

export type TopicName = (typeof topicNames)[number]

export function isTopic(word: string): word is TopicName {
  return (topicNames as readonly string[]).includes(word)
}
