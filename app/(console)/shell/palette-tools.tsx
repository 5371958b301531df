'use client'
import { Command } from 'cmdk'
import { ToggleLeft, ToggleRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { readTools } from '../tools/actions'
import { PaletteItem } from './palette-item'
import { toolCommand } from './tool-command'

type Loaded =
  | { type: 'loading' }
  | { type: 'tools'; tools: ToolListing[] }
  | { type: 'failed'; message: string }

/**
 * Every tool with the switch it would get, or the way to its group's where that is off; asked for when the palette
 * opens, so that it is fresh.
 */
export function PaletteTools({
  onGo,
  onSwitch,
  className,
}: {
  onGo: (href: string) => void
  onSwitch: (tool: ToolListing) => void
  className: string
}) {
  const loaded = useTools()
  if (loaded.type !== 'tools') {
    return (
      <p className="px-2 py-1.5 text-muted text-sm">
        {loaded.type === 'loading' ? 'Reading the tools…' : loaded.message}
      </p>
    )
  }
  return (
    <Command.Group heading="Switch a tool" className={className}>
      {loaded.tools.map((tool) => (
        <Entry key={tool.name} tool={tool} onGo={onGo} onSwitch={onSwitch} />
      ))}
    </Command.Group>
  )
}

function Entry({
  tool,
  onGo,
  onSwitch,
}: {
  tool: ToolListing
  onGo: (href: string) => void
  onSwitch: (tool: ToolListing) => void
}) {
  const { label, on, href } = toolCommand(tool)
  return (
    <PaletteItem
      icon={on ? ToggleRight : ToggleLeft}
      hint={tool.group}
      keywords={['tool', tool.group]}
      onSelect={() => (href === null ? onSwitch(tool) : onGo(href))}
    >
      {label}
    </PaletteItem>
  )
}

function useTools(): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ type: 'loading' })
  // Outside system: the server.
  useEffect(() => {
    let gone = false
    const show = (next: Loaded) => {
      if (!gone) setLoaded(next)
    }
    readTools(null).then(
      (result) =>
        show(
          result.ok
            ? { type: 'tools', tools: result.value }
            : { type: 'failed', message: result.error.message },
        ),
      () =>
        show({ type: 'failed', message: 'The tools cannot be read: the server did not answer.' }),
    )
    return () => {
      gone = true
    }
  }, [])
  return loaded
}
