import { version } from '../../base/process.ts'
import { defineCommand } from '../../framework/define-command.ts'

export default defineCommand({
  output: async () => {
    const { looseObject, string } = await import('zod/mini')
    return looseObject({ openapi: string() })
  },
  view: { text: (document) => JSON.stringify(document, null, 2) },
  description: 'Prints an OpenAPI 3.1 document that describes the service’s API.',
  examples: ['facescan sandbox openapi > openapi.json'],
  async run() {
    const { openApi } = await import('../../contract/openapi.ts')
    return openApi(version, 'https://api.example.com')
  },
})
