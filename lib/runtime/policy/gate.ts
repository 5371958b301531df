import type { GateName } from '@/lib/protocol/outcome'
import type { ToolMeta } from '@/lib/protocol/tool'
import type { Subject } from './subject'

/** One yes/no question. `denies` answers null for yes, or one sentence: why not, and what a person can do. */
export type Gate = {
  name: GateName
  denies: (tool: ToolMeta, subject: Subject) => string | null
}
