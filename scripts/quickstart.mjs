// npm run quickstart: from a fresh clone to a running console. Plain JavaScript that old versions of Node can parse, too,
// because nothing is installed yet, and it may have to say that Node is too old.
import { requireNode } from './steps/require-node.mjs'

requireNode()
import('./steps/quickstart.mjs')
