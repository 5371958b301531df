import { afterAll } from 'vitest'
import { beginTestFile, endTestFile } from './test-process'

// Runs before a test file's own imports.
await beginTestFile()
afterAll(endTestFile)
