// npm run quickstart: from a fresh clone to a running console. Plain JavaScript that old versions of Node can read too:
// there is nothing installed yet, and the first thing to say may be that Node is too old.
import { requireNode } from './steps/require-node.mjs'

requireNode()
import('./steps/quickstart.mjs')
