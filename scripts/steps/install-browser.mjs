import { existsSync } from 'node:fs'
import { findBrowser, findSystemBrowser } from './find-browser.mjs'
import { capture } from './run-program.mjs'
import { StepError } from './step.mjs'

/**
 * Makes sure that there is a Chromium: Debian's own where we may install it, else the one that Playwright downloads.
 */
export async function installBrowser() {
  if (!findBrowser()) await installSystemPrograms()
  if (findBrowser()) return findBrowser()
  const { output } = await capture(process.execPath, [
    'node_modules/playwright/cli.js',
    'install',
    ...(mayInstallSystem() ? ['--with-deps'] : []),
    'chromium',
  ])
  if (findBrowser()) return findBrowser()
  throw new StepError(
    'No Chromium was found and none could be installed: install one and name it in CHROMIUM_PATH.',
    output,
  )
}

/**
 * Installs what tests start and is not there, from Debian and where we may: Chromium, `ip`, which gives addresses to a
 * network of a test's own, and the sandbox of programs with one to run there. Needs none of our packages.
 */
export async function installSystemPrograms() {
  const missing = [
    ...(findSystemBrowser() || process.env.CHROMIUM_PATH ? [] : ['chromium-headless-shell']),
    ...(ipPrograms.some((file) => existsSync(file)) ? [] : ['iproute2']),
    ...['bwrap', 'git'].flatMap((name) => (existsSync(`/usr/bin/${name}`) ? [] : [packages[name]])),
  ]
  if (missing.length === 0 || !mayInstallSystem()) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await capture('apt-get', ['update'], env)
  for (const name of missing) await capture('apt-get', ['install', '-y', name], env)
}

const packages = { bwrap: 'bubblewrap', git: 'git' }
const ipPrograms = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip']

function mayInstallSystem() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}
