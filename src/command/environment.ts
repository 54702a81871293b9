import type { HelpPage, HelpRow } from '../output/page.ts'

/** Every variable the program reads; the manual and `facescan help environment` show them. */
export const ownVariables: readonly HelpRow[] = [
  ['FACESCAN_PROFILE', 'profile to use; `--profile` wins'],
  ['FACESCAN_API_KEY', 'an API key; an explicit `--profile` wins'],
  ['FACESCAN_API_KEY_FILE', 'a file that holds the API key'],
  ['FACESCAN_ACTION_TOKEN', 'an action token, for the commands that take one'],
  ['FACESCAN_BASE_URL', 'address of the service'],
  ['FACESCAN_OUTPUT', 'table, json, ndjson, csv or tsv; `--output` wins'],
  ['FACESCAN_CONFIG_DIR', 'where profiles and key files are kept'],
  ['FACESCAN_STATE_DIR', 'where the history, journals and the sandbox are kept'],
  ['FACESCAN_NO_INPUT', 'any value but 0 or false: never prompt'],
  ['FACESCAN_DEBUG', 'any value but 0 or false: trace requests on stderr, secrets masked'],
]

export const honouredVariables: readonly HelpRow[] = [
  ['NO_COLOR', 'no colour; `FORCE_COLOR` and `CLICOLOR_FORCE` turn it on off a terminal'],
  ['TERM=dumb', 'no colour and no drawings'],
  ['ACCESSIBLE', 'words in place of drawings, for screen readers'],
  ['CI', 'any value but 0 or false: never prompt'],
  ['COLUMNS', 'width to fit tables to'],
  ['BROWSER', 'program that opens links'],
  ['HTTPS_PROXY', 'proxy, also `HTTP_PROXY` and `NO_PROXY`, in either case'],
  ['SSL_CERT_FILE', 'more certificate authorities, also `NODE_EXTRA_CA_CERTS`'],
  ['XDG_CONFIG_HOME', 'parent of the folders above, also `XDG_STATE_HOME` and `XDG_CACHE_HOME`'],
]

export function environmentPage(): HelpPage {
  return {
    name: 'Environment',
    summary: 'variables that facescan reads',
    sections: [
      { heading: 'Its own', rows: ownVariables },
      { heading: 'Honoured', rows: honouredVariables },
      {
        heading: 'Which key is used',
        text: 'The first of: `--key-file` or `--key-stdin`, an explicit `--profile`, `FACESCAN_API_KEY` or its file, `FACESCAN_PROFILE`, the default profile, the built-in sandbox. `facescan status` says which one it is and where it comes from.',
      },
      { text: 'A .env file is never loaded. Nothing is reported to anyone: no telemetry, no update check.' },
    ],
  }
}
