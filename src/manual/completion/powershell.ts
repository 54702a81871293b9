import { banner } from '../../command/shells.ts'
import type { CompletedFlag, CompletionTable, Values } from './table.ts'

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function list(words: readonly string[]): string {
  return `@(${words.map(quote).join(', ')})`
}

/** Words, or one of `@files`, `@directories`, `@profiles`, which PowerShell completes by itself or from the profile file. */
function valueWords(values: Values): string {
  if (values.kind === 'none') return '@()'
  return values.kind === 'words' ? list(values.words) : list([`@${values.kind}`])
}

function flagTable(path: string, flags: readonly CompletedFlag[]): string[] {
  return flags.flatMap(({ names, values }) =>
    values ? names.map((name) => `  ${quote(`${path} ${name}`.trim())} = ${valueWords(values)}`) : [],
  )
}

function entries(rows: readonly (readonly [string, readonly string[]])[]): string {
  return rows.map(([path, words]) => `  ${quote(path)} = ${list(words)}`).join('\n')
}

export function powershellScript(table: CompletionTable): string {
  const names = (flags: readonly CompletedFlag[]) => flags.flatMap((flag) => flag.names)
  const positions = table.commands.flatMap(({ path, arguments: all }) =>
    all.map((values, index) => `  ${quote(`${path} ${index + 1}`)} = ${valueWords(values)}`),
  )
  return `${banner('powershell')}

$facescanWords = @{
${entries(table.words.map(({ path, next }) => [path === '' ? ' ' : path, next.map(({ word }) => word)] as const))}
}
$facescanFlags = @{
${entries(table.commands.map(({ path, flags }) => [path, names(flags)] as const))}
}
$facescanGlobalFlags = ${list(names(table.globalFlags))}
$facescanValues = @{
${[...table.commands.flatMap(({ path, flags }) => flagTable(path, flags)), ...flagTable('', table.globalFlags)].join('\n')}
}
$facescanArguments = @{
${positions.join('\n')}
}

function Get-FacescanProfile {
  $folder = $env:FACESCAN_CONFIG_DIR
  if (-not $folder -and $env:XDG_CONFIG_HOME) { $folder = Join-Path $env:XDG_CONFIG_HOME 'facescan' }
  if (-not $folder -and $env:APPDATA) { $folder = Join-Path $env:APPDATA 'facescan' }
  if (-not $folder) { $folder = Join-Path $HOME '.config/facescan' }
  'SANDBOX-DEV'
  $file = Join-Path $folder 'profiles.json'
  if (Test-Path $file) { (Get-Content -Raw $file | ConvertFrom-Json).profiles.PSObject.Properties.Name }
}

Register-ArgumentCompleter -Native -CommandName facescan -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $path = ' '
  $pending = $null
  $count = 1
  foreach ($word in $typed) {
    if ($pending) { $pending = $null }
    elseif ($word.StartsWith('-')) {
      if ($facescanValues.ContainsKey("$path $word".Trim())) { $pending = "$path $word".Trim() }
      elseif ($facescanValues.ContainsKey($word)) { $pending = $word }
    }
    elseif ($facescanWords.ContainsKey($path)) { $path = if ($path -eq ' ') { $word } else { "$path $word" } }
    else { $count++ }
  }
  $offered = if ($pending) { $facescanValues[$pending] }
  elseif ($wordToComplete.StartsWith('-')) { @($facescanFlags[$path]) + $facescanGlobalFlags }
  elseif ($facescanWords.ContainsKey($path)) { $facescanWords[$path] }
  else { $facescanArguments["$path $count"] }
  if ($offered -contains '@profiles') { $offered = Get-FacescanProfile }
  # Nothing offered: PowerShell completes files by itself.
  $offered | Where-Object { $_ -and $_ -notlike '@*' -and $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
