/** The folders of `src`, top first. A folder imports only from the folders below it. CONTRIBUTING repeats this list. */
export const tower = [
  'start',
  'cli',
  'context',
  'help',
  'routes',
  'commands',
  'framework',
  'bulk',
  'profiles',
  'audit',
  'http',
  'sandbox',
  'output',
  'contract',
  'base',
] as const
