import type { PaletteAnswer } from '@toolgate/server/doors/palette/search-console'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { Command } from 'cmdk'
import { type LucideIcon, Play, ToggleLeft, ToggleRight, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { kindIcons } from '@/components/nouns/kind-icons'
import { isOn, toolsHref } from '@/components/nouns/tool-filter'
import { VisibleText } from '@/components/trace/visible-text'
import { kindsInPalette, matchesWords, type PaletteKind, toolWords } from '@/lib/protocol/palette'

const switchWords = ['switch', 'on', 'off']

type Props = {
  answer: PaletteAnswer
  words: readonly string[]
  onGo: (href: string) => void
  onSwitch: (tool: ToolListing) => void
}

/** Shows what the server found: tasks to run, tools to switch, then other objects by kind. */
export function PaletteResults({ answer, words, onGo, onSwitch }: Props) {
  return (
    <>
      {answer.runnable.length > 0 && (
        <PaletteGroup heading="Run a task">
          {answer.runnable.map(({ id, title, hint, href }) => (
            <PaletteItem
              key={id}
              value={`run-task ${id}`}
              icon={Play}
              hint={<VisibleText text={hint} />}
              onSelect={() => onGo(href)}
            >
              Run <VisibleText text={title} />
            </PaletteItem>
          ))}
        </PaletteGroup>
      )}
      {answer.tools.length > 0 && (
        <Tools
          tools={answer.tools}
          switching={words.some((word) => switchWords.includes(word))}
          onGo={onGo}
          onSwitch={onSwitch}
        />
      )}
      {answer.found.map((found) => (
        <Found key={found.kind} found={found} onGo={onGo} />
      ))}
    </>
  )
}

function Found({
  found: { kind, hits, more },
  onGo,
}: {
  found: PaletteAnswer['found'][number]
  onGo: Props['onGo']
}) {
  const { heading, list } = kindsInPalette[kind]
  const icon = kindIcons[kind]
  return (
    <PaletteGroup heading={heading}>
      {hits.map(({ id, title, hint, href }) => (
        <PaletteItem
          key={id}
          value={`${kind} ${id}`}
          icon={icon}
          hint={<VisibleText text={hint} />}
          onSelect={() => onGo(href)}
        >
          <VisibleText text={title.replace(/\s+/g, ' ')} />
        </PaletteItem>
      ))}
      {more && (
        <PaletteItem value={`${kind} more`} icon={icon} onSelect={() => onGo(list)}>
          More under {heading}…
        </PaletteItem>
      )}
    </PaletteGroup>
  )
}

/**
 * Shows the tools that were found. For a tool's name, Enter opens the tool; with "switch" or "off" typed too, it
 * switches it.
 */
function Tools({
  tools,
  switching,
  onGo,
  onSwitch,
}: { tools: ToolListing[]; switching: boolean } & Pick<Props, 'onGo' | 'onSwitch'>) {
  const places = tools.map(({ name, group }) => (
    <PaletteItem
      key={`see ${name}`}
      value={`see ${name}`}
      icon={Wrench}
      hint={group}
      onSelect={() => onGo(`/tools?search=${encodeURIComponent(name)}`)}
    >
      {name}
    </PaletteItem>
  ))
  const switches = tools.map((tool) => {
    const { label, on, href } = toolCommand(tool)
    return (
      <PaletteItem
        key={`switch ${tool.name}`}
        value={`switch ${tool.name}`}
        icon={on ? ToggleRight : ToggleLeft}
        hint={tool.group}
        onSelect={() => (href === null ? onSwitch(tool) : onGo(href))}
      >
        {label}
      </PaletteItem>
    )
  })
  return (
    <PaletteGroup heading="Tools">
      {switching ? [switches, places] : [places, switches]}
    </PaletteGroup>
  )
}

/** Returns the results of the last answer that match what was typed since, shown until the server has answered. */
export function narrowedAnswer(answer: PaletteAnswer, words: readonly string[]): PaletteAnswer {
  const fits = (kind: PaletteKind) => (hit: { title: string; hint: string }) =>
    matchesWords(words, `${hit.title} ${hit.hint}`, kindsInPalette[kind].finds)
  return {
    found: answer.found
      .map((found) => ({ ...found, hits: found.hits.filter(fits(found.kind)), more: false }))
      .filter(({ hits }) => hits.length > 0),
    runnable: answer.runnable.filter(fits('task')),
    tools: answer.tools.filter(({ name, group }) =>
      matchesWords(words, `${name} ${group}`, toolWords),
    ),
  }
}

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  )
}

/** Shows one item. `value` identifies it, because two items may show the same words. */
export function PaletteItem({
  value,
  icon: Icon,
  hint,
  onSelect,
  children,
}: {
  value: string
  icon: LucideIcon
  hint?: ReactNode
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-normal data-[selected=true]:bg-surface-2 data-[selected=true]:text-strong pointer-coarse:min-h-11"
    >
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="max-w-[40%] truncate text-muted text-sm">{hint}</span>}
    </Command.Item>
  )
}

/** Command of the palette for a tool: it switches the tool, or goes to `href`. `on`: the present state. */
export type ToolCommand = { label: string; on: boolean; href: string | null }

/**
 * Returns what the palette does with a tool. While its group is off, it links to the group's switch, because the tool's
 * own switch has no effect.
 */
export function toolCommand(tool: ToolListing): ToolCommand {
  const { name, group, enabled, raw } = tool
  const on = isOn(tool)
  if (tool.unavailable !== null) {
    return { label: `See ${name} (not available)`, on, href: toolsHref({ search: name }) }
  }
  if (tool.groupOff) {
    const label = `See the group ${group}: it is off, and so is ${name}`
    return { label, on, href: toolsHref({ group }) }
  }
  const asks = raw && !enabled
  return { label: `Switch ${enabled ? 'off' : 'on'} ${name}${asks ? '…' : ''}`, on, href: null }
}
