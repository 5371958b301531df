import { existsSync } from 'node:fs'
import { findBrowser, findSystemBrowser } from './find-browser.mjs'
import { capture } from './run-program.mjs'
import { StepError } from './step.mjs'

/**
 * Makes sure that there is a Chromium: Debian's own where we may install it, else the one that Playwright downloads.
 */
export async function installBrowser() {
  if (!findBrowser()) await installSystemBrowser()
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

/** Installs Debian's Chromium where there is none and we may; needs none of our packages. */
export async function installSystemBrowser() {
  if (findSystemBrowser() || process.env.CHROMIUM_PATH || !mayInstallSystem()) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await capture('apt-get', ['update'], env)
  await capture('apt-get', ['install', '-y', 'chromium-headless-shell'], env)
}

function mayInstallSystem() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}
