import type { HelpRow } from '../output/page.ts'

/** Every environment variable that the program reads. The man page and `facescan help environment` list them. */
export const ownVariables: readonly HelpRow[] = [
  ['FACESCAN_PROFILE', 'profile to use (`--profile` overrides it)'],
  ['FACESCAN_API_KEY', 'API key (an explicit `--profile` overrides it)'],
  ['FACESCAN_API_KEY_FILE', 'file that contains the API key'],
  ['FACESCAN_ACTION_TOKEN', 'action token, for commands that accept one'],
  ['FACESCAN_BASE_URL', 'base URL of the service'],
  ['FACESCAN_OUTPUT', 'table, json, ndjson, csv, or tsv (`--output` overrides it)'],
  ['FACESCAN_CONFIG_DIR', 'directory for profiles and key files'],
  ['FACESCAN_STATE_DIR', 'directory for the history, import journals, and the sandbox'],
  ['FACESCAN_NO_INPUT', 'never prompt (any value except 0 and false)'],
  ['FACESCAN_DEBUG', 'trace requests on stderr, with secrets masked (any value except 0 and false)'],
]

export const supportedVariables: readonly HelpRow[] = [
  ['NO_COLOR', 'no color; `FORCE_COLOR` and `CLICOLOR_FORCE` enable color without a terminal'],
  ['TERM=dumb', 'no color and no drawings'],
  ['ACCESSIBLE', 'text instead of drawings, for screen readers'],
  ['CI', 'never prompt (any value except 0 and false)'],
  ['COLUMNS', 'maximum width of tables'],
  ['BROWSER', 'program that opens links'],
  ['HTTPS_PROXY', 'proxy; also `HTTP_PROXY` and `NO_PROXY`, in upper or lower case'],
  ['SSL_CERT_FILE', 'additional certificate authorities; also `NODE_EXTRA_CA_CERTS`'],
  ['XDG_CONFIG_HOME', 'parent of the default directories; also `XDG_STATE_HOME` and `XDG_CACHE_HOME`'],
]
