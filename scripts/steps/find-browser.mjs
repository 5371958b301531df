import { existsSync } from 'node:fs'
import { chromium } from 'playwright/test'

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
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...SYSTEM]
  return candidates.find((file) => file && existsSync(file))
}
