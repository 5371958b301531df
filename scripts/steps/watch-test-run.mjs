// Waits until the owner of a test run has ended, which closes its end of the pipe, and ends what it left.
import { endTestRun } from './end-test-run.mjs'

process.stdin.resume().once('close', () => endTestRun(String(process.argv[2])))
