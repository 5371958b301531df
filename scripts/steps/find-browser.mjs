import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

// The first is Chromium without windows, which Playwright itself would use: a fifth less work for the same pages.
const SYSTEM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Returns CHROMIUM_PATH, Playwright's own Chromium, or one of the system's; undefined when there is none. */
export function findBrowser() {
  const { chromium } = createRequire(import.meta.url)('playwright/test')
  const own = [process.env.CHROMIUM_PATH, chromium.executablePath()]
  return own.find((file) => file && existsSync(file)) ?? findSystemBrowser()
}

/** Returns a Chromium of the system, also where no packages are installed yet; undefined when there is none. */
export function findSystemBrowser() {
  return SYSTEM.find((file) => existsSync(file))
}
