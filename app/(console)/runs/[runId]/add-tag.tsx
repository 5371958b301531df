'use client'
import { Command } from 'cmdk'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { controlStyles, typedStyles } from '@/components/ui/control-styles'
import { markLimits, RunTag } from '@/lib/protocol/run/run-marks'
import { visibleText } from '@/lib/words/clean-text'

type Props = {
  known: readonly string[]
  busy: boolean
  onAdd: (tag: string) => void
  /** `keepsFocus`: the person went on to something else. */
  onClose: (keepsFocus?: boolean) => void
}

const suggested = 8
const item =
  'min-h-8 cursor-pointer truncate rounded-sm px-2 py-1 text-strong data-[selected=true]:bg-surface-2 pointer-coarse:min-h-11'

/** Shows a field in which a tag is typed, with the known tags that have what was typed. Enter or a comma adds it. */
export function AddTag({ known, busy, onAdd, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const tag = RunTag.safeParse(typed).data
  const found = known.filter((each) => each !== tag && each.includes(typed.trim().toLowerCase()))
  const add = (chosen: string) => {
    if (busy) return
    setTyped('')
    onAdd(chosen)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    if (event.key === ',') {
      event.preventDefault()
      if (tag) add(tag)
    }
  }
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) onClose(true)
  }
  return (
    <Command
      label="Add a tag"
      shouldFilter={false}
      loop
      className="relative"
      onKeyDown={press}
      onBlur={leave}
    >
      <Command.Input
        autoFocus
        value={typed}
        onValueChange={setTyped}
        maxLength={markLimits.tagCharacters}
        placeholder="Tag"
        className={cn(controlStyles, typedStyles, 'h-7 w-48 px-2 pointer-coarse:h-10')}
      />
      <Command.List
        className={cn(
          'absolute top-full left-0 z-40 mt-1 w-64 max-w-[calc(100vw-2rem)] rounded-md border bg-surface-1 p-1 shadow-float',
          !tag && found.length === 0 && 'hidden',
        )}
      >
        {tag && (
          <Command.Item
            value={`new ${tag}`}
            onSelect={() => add(tag)}
            className={item}
            aria-label={`Add ${visibleText(tag)}`}
          >
            Add <VisibleText text={tag} />
          </Command.Item>
        )}
        {found.slice(0, suggested).map((each) => (
          <Command.Item
            key={each}
            value={`known ${each}`}
            onSelect={() => add(each)}
            className={item}
          >
            <VisibleText text={each} />
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}
