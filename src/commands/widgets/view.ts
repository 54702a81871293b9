import type { RecordView } from '../../output/view.ts'

interface Widget {
  data: {
    title: string
    value?: number | null
    unit?: string | null
    percentage?: number | null
    locked?: boolean
  }
}

export const widgetView: RecordView<Widget> = {
  kind: 'record',
  columns: [
    { key: 'title', title: 'Title', value: ({ data }) => data.title },
    {
      key: 'value',
      title: 'Value',
      value: ({ data }) => data.value,
      cell: ({ data: { value, unit } }) => (typeof value === 'number' ? `${value} ${unit ?? ''}`.trim() : ''),
    },
    { key: 'percentage', title: 'Percentage', value: ({ data }) => data.percentage },
    { key: 'locked', title: 'Locked', value: ({ data }) => data.locked },
  ],
}
