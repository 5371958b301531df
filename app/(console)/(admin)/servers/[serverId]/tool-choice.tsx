import type { ReviewedTool } from '@toolgate/server/toolset/servers/review'
import type { ReactNode } from 'react'

/** Settings of a tool that a person chooses. */
export type Choice = Pick<
  ReviewedTool,
  'effect' | 'dataClass' | 'requiresAdmin' | 'enabled' | 'alias' | 'description' | 'look'
>

/** Shows what a control is about. Its accessible name also says which tool it is for. */
export function Captioned({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-muted text-sm">
        {caption}
      </span>
      {children}
    </div>
  )
}
