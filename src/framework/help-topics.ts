/** Help topics in the order in which the help lists them. `topics.ts` contains a page for each topic. */
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
