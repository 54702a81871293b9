/** Plays the scan before the form is sent. Without the script, the button sends the form immediately. */
export const scanScript = `
const form = document.querySelector('form')
const durationMs = 4500
const zone = form?.elements.namedItem('timezone')
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone
form?.addEventListener('submit', (event) => {
  event.preventDefault()
  const ready = document.querySelector('.ready')
  const running = document.querySelector('.running')
  const meter = running.querySelector('progress')
  const ring = document.querySelector('.ring')
  const startedAt = performance.now()
  ready.hidden = true
  running.hidden = false
  document.body.classList.add('scanning')
  const timer = setInterval(() => {
    const share = Math.min((performance.now() - startedAt) / durationMs, 1)
    meter.value = share
    ring.setAttribute('stroke-dasharray', share * 100 + ' 100')
    if (share < 1) return
    clearInterval(timer)
    form.submit()
  }, 50)
})
`
