/** PowerShell also runs on Windows. Windows has no awk, so the PowerShell script reads the rows itself. */
export function powershellBody(rows: readonly string[]): string {
  return `$facescanRows = @'
${rows.join('\n')}
'@ -split '\\r?\\n' | ForEach-Object {
  $kind, $path, $name, $values, $summary = $_ -split '\\t'
  [pscustomobject]@{ Kind = $kind; Path = $path; Names = @($name -split ' '); Values = $values; Summary = $summary }
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

function Get-FacescanValues($kinds, $path, $name) {
  $found = $facescanRows | Where-Object { $_.Kind -in $kinds -and $_.Path -in @($path, '*') -and $_.Names -contains $name }
  @($found)[0].Values
}

Register-ArgumentCompleter -Native -CommandName facescan -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $branches = @($facescanRows | Where-Object { $_.Kind -eq 'word' } | ForEach-Object { $_.Path })
  $isHelp = $typed.Count -gt 0 -and $typed[0] -eq 'help'
  if ($isHelp) { $typed = @($typed | Select-Object -Skip 1) }
  $path = ''
  $pending = ''
  $prefix = ''
  $position = 1
  foreach ($word in $typed) {
    if ($pending) { $pending = '' }
    elseif ($word.StartsWith('-')) {
      if ((Get-FacescanValues @('flag', 'fields') $path $word) -match '^[^-=]') { $pending = $word }
    }
    elseif ($branches -contains $path) { $path = "$path $word".Trim() }
    else { $position++ }
  }
  if (-not $pending -and $wordToComplete -match '^(--[^=]+)=') { $pending = $Matches[1]; $prefix = $Matches[0] }
  $offered = @()
  $values = ''
  if ($pending) { $values = Get-FacescanValues @('flag', 'fields') $path $pending }
  elseif ($wordToComplete.StartsWith('-')) {
    $flags = @($facescanRows | Where-Object { $_.Kind -eq 'flag' -and $_.Path -eq $path })
    if ($flags.Count -eq 0 -or $wordToComplete.Length -gt 2) { $flags += $facescanRows | Where-Object { $_.Kind -eq 'flag' -and $_.Path -eq '*' } }
    $offered = @($flags | ForEach-Object { $_.Names })
  }
  else {
    if ($branches -contains $path) { $offered = @($facescanRows | Where-Object { $_.Kind -eq 'word' -and $_.Path -eq $path } | ForEach-Object { $_.Names }) }
    elseif (-not $isHelp) { $values = Get-FacescanValues @('argument') $path "$position" }
    if ($isHelp -and $path -eq '') { $values = Get-FacescanValues @('argument') 'help' '1' }
  }
  $values = "$values" -replace '^=', ''
  if ($values.StartsWith('+')) {
    $values = $values.Substring(1)
    if ($wordToComplete -match '^.*,') { $prefix = $Matches[0] }
  }
  if ($values -eq '@profiles') { $offered += Get-FacescanProfile }
  # If nothing is offered, PowerShell completes files.
  elseif ($values -match '^[^-?@]') { $offered += $values -split ' ' | Where-Object { $_ } | ForEach-Object { $prefix + $_ } }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
