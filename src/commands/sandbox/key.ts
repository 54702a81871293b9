import { defineCommand } from '../../framework/define-command.ts'
import { toggle } from '../../framework/options.ts'
import { databaseOption, withStore } from './options.ts'

export default defineCommand({
  output: async () => {
    const { strictObject, string } = await import('zod/mini')
    return strictObject({ alias: string(), key: string() })
  },
  view: { text: ({ key }) => key },
  options: {
    db: databaseOption,
    production: toggle('--production', 'print the production key instead of the development key'),
  },
  description:
    'Prints a key for profiles and scripts that use "sandbox serve". The built-in profile SANDBOX-DEV works without a key.',
  examples: [
    'facescan sandbox key',
    'facescan sandbox key | facescan profiles add ACME-DEV --key-stdin --base-url http://127.0.0.1:4010',
  ],
  async run(ctx, { db, production }) {
    const keys = await withStore(ctx, db, (store) => store.keys)
    return production ? keys.production : keys.development
  },
})
