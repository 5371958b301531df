// npm run dev: the console with live reload, on the same data as npm run quickstart.
import { requireNode } from './steps/require-node.mjs'

requireNode()
import('./steps/dev.mjs')
