import type { Unchanged } from '../../base/json.ts'
import { biomarkerNames } from '../../contract/biomarkers.ts'
import type { ReplyOf } from '../../contract/index.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { argument, flag } from '../../framework/options.ts'
import { nonEmpty, uuid } from '../../framework/values.ts'
import type { RecordView } from '../../output/view.ts'
import { actingAs } from '../reach-user.ts'

type Widget = Unchanged<ReplyOf<'widgets.biomarker'> | ReplyOf<'widgets.metric'>>

export const widgetView: RecordView<Widget> = {
  columns: [
    { key: 'title', title: 'Title', value: ({ data }) => data.title },
    {
      key: 'value',
      title: 'Value',
      value: ({ data }) => data.value,
      cell: ({ data: { value, unit } }) => (typeof value === 'number' ? `${value} ${unit ?? ''}`.trim() : ''),
    },
    { key: 'percentage', title: 'Percentage', value: ({ data }) => data.percentage },
    { key: 'locked', title: 'Locked', value: ({ data }) => ('locked' in data ? data.locked : undefined) },
  ],
}

export default defineCommand({
  user: 'token',
  output: 'widgets.biomarker',
  view: widgetView,
  args: { biomarker: argument('<biomarker>', 'biomarker name', nonEmpty, biomarkerNames) },
  options: { faceScanId: flag('--face-scan-id <uuid>', 'face scan ID', uuid, { required: true }) },
  description: 'Deprecated by the service. Use "biomarkers get" instead.',
  examples: [
    'facescan widgets biomarker 4711 heart_rate --face-scan-id 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ],
  async run(ctx, { biomarker: parameter, faceScanId: face_scan_id, user }) {
    const api = await actingAs(ctx, user)
    return api.widgets.biomarker({ body: { data: { face_scan_id, parameter } } })
  },
})
