import { biomarkerNames } from '../../contract/biomarkers.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { argument } from '../../framework/options.ts'
import { uuid } from '../../framework/values.ts'
import { scanView, unitsSource } from '../../output/health/scans.ts'
import { reachUser } from '../reach-user.ts'

export default defineCommand({
  user: 'token',
  output: 'biomarkers.get',
  view: scanView,
  args: { faceScanId: argument('<face-scan-id>', 'face scan ID', uuid) },
  description: unitsSource,
  examples: ['facescan biomarkers get 4711 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  moved: (words) => {
    const name = words.find((word) => biomarkerNames.some((known) => known === word))
    const [user, ...others] = words.filter((word) => word !== name)
    if (name === undefined || user === undefined || others.length > 0) return undefined
    const reason = `"${name}" is a biomarker, not a face scan ID`
    return { reason, words: ['biomarkers', 'list', user, `--chart=${name}`] }
  },
  async run(ctx, { faceScanId: face_scan_id, user: given }) {
    const { api, user } = await reachUser(ctx, given)
    return api.biomarkers.get({ user, params: { face_scan_id } })
  },
})
