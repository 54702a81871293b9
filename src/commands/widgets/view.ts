import type { Unchanged } from '../../base/json.ts'
import type { ReplyOf } from '../../contract/index.ts'
import type { RecordView } from '../../output/view.ts'

export const widgetView: RecordView<Unchanged<ReplyOf<'widgets.biomarker' | 'widgets.metric'>>> = {
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
