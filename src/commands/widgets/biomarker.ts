import { biomarkerNames } from '../../contract/biomarkers.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { argument, flag } from '../../framework/options.ts'
import { nonEmpty, uuid } from '../../framework/values.ts'
import { actingAs } from '../reach-user.ts'
import { suggestValue } from '../suggest-value.ts'
import { widgetView } from './view.ts'

export default defineCommand({
  user: 'token',
  output: 'widgets.biomarker',
  view: widgetView,
  args: { biomarker: argument('<biomarker>', 'biomarker name', nonEmpty, { choices: biomarkerNames }) },
  options: { faceScanId: flag('--face-scan-id <uuid>', 'face scan ID', uuid, { required: true }) },
  description: 'Deprecated by the service. Use "biomarkers get" instead.',
  examples: [
    'facescan widgets biomarker 4711 heart_rate --face-scan-id 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ],
  async run(ctx, { biomarker: parameter, faceScanId: face_scan_id, user }) {
    const api = await actingAs(ctx, user)
    const sent = api.widgets.biomarker({ body: { data: { face_scan_id, parameter } } })
    return sent.catch((error: unknown) => {
      throw suggestValue(error, { kind: 'biomarker', text: parameter, known: biomarkerNames })
    })
  },
})
