import path from 'node:path'
import { defineConfig } from 'playwright/test'
import suite from '../playwright.config'

const root = path.join(import.meta.dirname, '..')
const [server] = [suite.webServer].flat()
if (server === undefined) throw new Error('playwright.config.ts starts no server.')

/** Uses the site and browser of the end-to-end tests for the one file that takes pictures. */
export default defineConfig({
  ...suite,
  testDir: path.join(import.meta.dirname, 'sheet'),
  testMatch: 'sheet.ts',
  outputDir: path.join(root, 'test-results'),
  timeout: 1_800_000,
  reporter: [['line']],
  webServer: { ...server, cwd: root },
})
