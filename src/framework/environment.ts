import { orList } from '../base/text.ts'
import type { HelpRow } from '../output/page.ts'
import { outputFormats } from '../output/settings.ts'

/** All environment variables of facescan. The man page and `facescan help environment` list them. */
export const ownVariables: readonly HelpRow[] = [
  ['FACESCAN_PROFILE', 'profile to use (`--profile` overrides it)'],
  ['FACESCAN_API_KEY', 'API key (an explicit `--profile` overrides it)'],
  ['FACESCAN_API_KEY_FILE', 'file that contains the API key'],
  ['FACESCAN_ACTION_TOKEN', 'action token, for commands that accept one'],
  ['FACESCAN_BASE_URL', 'base URL of the service (HTTPS, or HTTP on this machine)'],
  ['FACESCAN_OUTPUT', `output format: ${orList(outputFormats)} (\`--output\` overrides it)`],
  ['FACESCAN_CONFIG_DIR', 'directory for profiles and key files'],
  ['FACESCAN_STATE_DIR', 'directory for the audit log, import journals, and the sandbox'],
  ['FACESCAN_NO_INPUT', 'disable prompts (unless the value is 0 or false)'],
  ['FACESCAN_DEBUG', 'trace requests to stderr, with secrets masked (unless the value is 0 or false)'],
]
