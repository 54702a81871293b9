/** PowerShell also runs on Windows. Windows has no awk, so the PowerShell script reads the rows itself. */
export function powershellBody(rows: readonly string[]): string {
  return `$facescanRows = @'
${rows.join('\n')}
'@ -split '\\r?\\n' | ForEach-Object {
  $path, $slot, $candidates, $summary = $_ -split '\\t'
  [pscustomobject]@{ Path = $path; Slot = $slot; Candidates = @($candidates -split ' '); IsList = $summary -eq ',' }
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
  $path = ''
  $flag = ''
  $prefix = ''
  $position = 1
  foreach ($word in $typed) {
    $deeper = "$path $word".Trim()
    if ($flag) { $flag = '' }
    elseif ($word.StartsWith('-')) { $flag = @($facescanRows | Where-Object { $_.Path -in @($path, '*') -and $_.Slot -ceq $word })[0].Slot }
    elseif ($facescanRows.Path -contains $deeper) { $path = $deeper }
    else { $position++ }
  }
  $slots = @("$position")
  if ($flag) { $slots = @($flag) }
  elseif ($wordToComplete -match '^(--[^=]+)=') { $slots = @($Matches[0], $Matches[1]); $prefix = $Matches[0] }
  elseif ($wordToComplete.StartsWith('-')) { $slots = @('-') }
  $rows = @($facescanRows | Where-Object { $_.Path -in @($path, '*') -and $_.Slot -cin $slots })
  $own = @($rows | Where-Object { $_.Path -eq $path })
  # The global flags are offered if the command has no flags, or if a part of their name was typed.
  if ($slots[0] -eq '-' -and $own.Count -gt 0 -and $wordToComplete.Length -lt 3) { $rows = $own }
  $offered = foreach ($row in $rows) {
    $start = if ($row.IsList -and $wordToComplete -match '^.*,') { $Matches[0] } else { $prefix }
    foreach ($candidate in $row.Candidates) {
      if ($candidate -eq '@profiles') { Get-FacescanProfile | ForEach-Object { $start + $_ } }
      # If nothing is offered, PowerShell completes files.
      elseif ($candidate -match '^[^@]') { $start + $candidate }
    }
  }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
