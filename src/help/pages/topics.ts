import { readPackageFile } from '../../base/process.ts'
import importAnswers from '../../commands/answers/import.ts'
import { ownVariables } from '../../framework/environment.ts'
import { globalOptions, replacingOptions } from '../../framework/global-flags.ts'
import { type TopicName, topicNames } from '../../framework/help-topics.ts'
import { listExitCodes } from '../../framework/list-exit-codes.ts'
import { manyOptions } from '../../framework/many/options.ts'
import { userValueOptions } from '../../framework/many/value-options.ts'
import { type HelpPage, type HelpRow, type HelpSection, readPage } from '../../output/page.ts'
import { formats, outputFormats } from '../../output/settings.ts'
import { describeFlags } from '../describe.ts'
import { flagRow, listRareImportFlags } from './command-page.ts'
import { commandSections } from './overview.ts'

const exitCodeRows = listExitCodes().map(({ exit_code, meaning }): HelpRow => [String(exit_code), meaning])
const globalFlags = { ...globalOptions, ...replacingOptions }

/** Help sections that are generated from the code, by topic. */
const computed: Readonly<Record<string, readonly HelpSection[]>> = {
  '{{commands}}': commandSections(),
  '{{exit codes}}': [{ rows: exitCodeRows }],
  '{{formats}}': [{ rows: outputFormats.map((name): HelpRow => [name, formats[name].summary]) }],
  '{{global flags}}': [{ rows: describeFlags(globalFlags).map(flagRow) }],
  '{{import flags}}': [{ rows: listRareImportFlags(importAnswers).map(flagRow) }],
  '{{list flags}}': [{ rows: describeFlags({ ...manyOptions, ...userValueOptions }).map(flagRow) }],
  '{{variables}}': [{ rows: ownVariables }],
}

/** The help topics. The build replaces this code with the texts of the topics, so it runs only in a checkout. */
export const topics = Object.fromEntries(
  topicNames.map((name) => [name, readPage(readPackageFile(`src/help/pages/topics/${name}.md`), computed)]),
) as Readonly<Record<TopicName, HelpPage>>
