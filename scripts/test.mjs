// npm test: everything that must hold. The last line counts all of it.
import { requireNode } from './steps/require-node.mjs'

requireNode()
import('./steps/test.mjs')
