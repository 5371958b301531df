'use client'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { useToolSwitch } from '@/components/nouns/use-tool-switch'
import { MoreMenu } from '@/components/ui/more-menu'
import { resetToolToDefault, setTool } from '../actions'
import { toolEntries } from '../tool-menu'
import { ToolToggle } from '../tool-parts'
import { useGroupSwitch } from '../use-group-switch'

/** Shows the switch of a tool, in the heading of its page. */
export function ToolSwitch({ tool }: { tool: ToolListing }) {
  const toolSwitch = useToolSwitch({ setTool, resetToolToDefault })
  return (
    <>
      <ToolToggle tool={tool} toolSwitch={toolSwitch} />
      {toolSwitch.dialog}
    </>
  )
}

/** Shows the menu of a tool, in the heading of its page. */
export function ToolActions({ tool }: { tool: ToolListing }) {
  const toolSwitch = useToolSwitch({ setTool, resetToolToDefault })
  const groupSwitch = useGroupSwitch()
  return (
    <>
      <MoreMenu entries={toolEntries({ tool, toolSwitch, groupSwitch })} />
      {toolSwitch.dialog}
      {groupSwitch.dialog}
    </>
  )
}
