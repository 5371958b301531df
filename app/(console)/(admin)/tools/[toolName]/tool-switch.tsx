'use client'
import { useToolSwitch } from '@/components/nouns/use-tool-switch'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { resetToolToDefault, setTool } from '../actions'
import { ToolMenu } from '../tool-menu'
import { ToolToggle } from '../tool-parts'
import { useGroupSwitch } from '../use-group-switch'

/** Shows the switch of a tool and its menu, in the heading of its page. */
export function ToolSwitch({ tool }: { tool: ToolListing }) {
  const toolSwitch = useToolSwitch({ setTool, resetToolToDefault })
  const groupSwitch = useGroupSwitch()
  return (
    <>
      <ToolToggle tool={tool} toolSwitch={toolSwitch} />
      <ToolMenu tool={tool} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />
      {toolSwitch.dialog}
      {groupSwitch.dialog}
    </>
  )
}
