/**
 * The folders of `src`, top first. A folder imports only from the folders below it. This list is the entire import rule;
 * the map in CONTRIBUTING repeats it.
 */
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
