import { chromium } from 'playwright'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const base = 'http://127.0.0.1:4177'
for (const [name, viewport, colorScheme] of [['wide', { width: 1440, height: 900 }, 'light'], ['phone', { width: 390, height: 844 }, 'dark']]) {
  const c = await b.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const p = await c.newPage()
  p.on('console', (m) => m.type() === 'error' && console.log(name, m.text()))
  await p.goto(base + '/sign-in')
  await p.getByLabel('E-mail').fill('ada@example.org')
  await p.getByLabel('Password', { exact: true }).fill('Ada-Lovelace-1815')
  await p.getByRole('button', { name: /sign in/i }).click()
  await p.waitForURL((u) => !u.pathname.startsWith('/sign-in'))
  const shot = async (path, file, full = true) => { await p.goto(base + path); await p.waitForTimeout(1500); await p.screenshot({ path: `/tmp/look/${name}-${file}.png`, fullPage: full }) }
  await shot('/resources/programs', 'programs')
  await p.getByRole('link', { name: 'git' }).first().click(); await p.waitForURL(/programs\/.+/); await p.waitForTimeout(1500)
  await p.screenshot({ path: `/tmp/look/${name}-git.png`, fullPage: true })
  await shot('/resources/workspaces', 'workspaces')
  await p.getByRole('link', { name: 'handbook' }).first().click(); await p.waitForURL(/workspaces\/.+/); await p.waitForTimeout(1500)
  await p.screenshot({ path: `/tmp/look/${name}-workspace.png`, fullPage: true })
  await shot('/settings', 'settings')
  await c.close()
}
await b.close()
