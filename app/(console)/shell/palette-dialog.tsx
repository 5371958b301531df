'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PaletteAnswer } from '@toolgate/server/doors/palette/search-console'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { Command } from 'cmdk'
import { OctagonX, RotateCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { mayLeave } from '@/components/forms/may-leave'
import { type ToolActions, useToolSwitch } from '@/components/nouns/use-tool-switch'
import { pause } from '@/components/shell/queries'
import { cn } from '@/components/ui/cn'
import { useReturnFocus } from '@/components/ui/use-return-focus'
import { matchesWords, queryWords } from '@/lib/protocol/palette'
import type { Role } from '@/lib/protocol/tool'
import { useFreeze } from './freeze-bar'
import { placesMatching } from './palette-places'
import { narrowedAnswer, PaletteGroup, PaletteItem, PaletteResults } from './palette-results'

/**
 * Shows the palette that finds anything the reader may see, runs a task and, for admins, switches a tool or freezes the
 * site. It stays mounted while it is closed, because the dialogs that it opened outlive it.
 */
export function PaletteDialog({
  role,
  frozen,
  toolActions,
  open,
  takeTyped,
  onOpenChange,
}: {
  role: Role
  frozen: boolean
  toolActions: ToolActions
  open: boolean
  /** Returns what was typed before the field was there. */
  takeTyped: () => string
  onOpenChange: (open: boolean) => void
  /** Only for when it cannot be loaded. */
  onClose: () => void
}) {
  const router = useRouter()
  const toolSwitch = useToolSwitch(toolActions)
  const freeze = useFreeze(frozen ? 'unfreeze' : 'freeze')
  const returnFocus = useReturnFocus(open)
  const closing =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A) => {
      onOpenChange(false)
      act(...args)
    }
  return (
    <>
      <Dialog.Root open={open} onOpenChange={onOpenChange}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
          <Dialog.Content
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
            className="-translate-x-1/2 fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl animate-appear overflow-hidden rounded-md border bg-surface-1 shadow-float"
          >
            <Dialog.Title className="sr-only">Search or run a command</Dialog.Title>
            <Commands
              role={role}
              frozen={frozen}
              takeTyped={takeTyped}
              onGo={closing((href) => {
                if (mayLeave(href)) router.push(href)
              })}
              onSwitch={closing(toolSwitch.flip)}
              onFreeze={closing(freeze.ask)}
            />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      {toolSwitch.dialog}
      {freeze.dialog}
    </>
  )
}

type Props = {
  role: Role
  frozen: boolean
  takeTyped: () => string
  onGo: (href: string) => void
  onSwitch: (tool: ToolListing) => void
  onFreeze: () => void
}

function Commands({ role, frozen, takeTyped, onGo, onSwitch, onFreeze }: Props) {
  const [query, setQuery] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // External system: the keyboard, whose keys the field takes from here on.
  useEffect(() => {
    input.current?.focus()
    const typed = takeTyped()
    if (typed !== '') setQuery((before) => before + typed)
  }, [takeTyped])
  const text = query.trim()
  const words = queryWords(text)
  const { answer, state, retry } = usePaletteSearch(text)
  const places = placesMatching(role, words)
  const freezes = role === 'admin' && matchesWords(words, freezeWords)
  const shown = answer && (state === 'done' ? answer : narrowedAnswer(answer, words))
  return (
    <Command label="Commands" loop shouldFilter={false}>
      <Command.Input
        ref={input}
        value={query}
        onValueChange={setQuery}
        maxLength={200}
        placeholder={role === 'admin' ? 'A page, person, run or tool…' : 'A page, task or run…'}
        className="h-11 w-full border-b bg-transparent px-4 text-lg text-strong outline-none"
      />
      <Command.List className="max-h-[50dvh] overflow-y-auto p-1" aria-busy={state === 'searching'}>
        {state === 'done' && (
          <Command.Empty className="p-4 text-center text-muted">No matches</Command.Empty>
        )}
        {places.length > 0 && (
          <PaletteGroup heading="Go to">
            {places.map(({ href, label, icon, hint }) => (
              <PaletteItem
                key={href}
                value={`go ${href}`}
                icon={icon}
                hint={hint}
                onSelect={() => onGo(href)}
              >
                {label}
              </PaletteItem>
            ))}
          </PaletteGroup>
        )}
        {freezes && (
          <PaletteGroup heading="Site">
            <PaletteItem value="freeze" icon={OctagonX} onSelect={onFreeze}>
              {frozen ? 'Unfreeze this site…' : 'Freeze this site…'}
            </PaletteItem>
          </PaletteGroup>
        )}
        {shown && <PaletteResults answer={shown} words={words} onGo={onGo} onSwitch={onSwitch} />}
        {typeof state === 'object' && (
          <PaletteGroup heading={state.failed}>
            <PaletteItem value="retry" icon={RotateCw} onSelect={retry}>
              Search again
            </PaletteItem>
          </PaletteGroup>
        )}
      </Command.List>
      <p
        role="status"
        className={cn(
          'border-t px-3 py-1.5 text-muted text-xs',
          state === 'done' && 'pointer-coarse:hidden',
        )}
      >
        {state === 'searching' ? 'Searching…' : typeof state === 'object' ? 'Search failed' : help}
      </p>
    </Command>
  )
}

const freezeWords = 'freeze unfreeze this site stop everything emergency'
const help = 'Enter opens, Esc closes'

type PaletteSearch = {
  /** The newest answer, possibly to an earlier query; null = none yet. */
  answer: PaletteAnswer | null
  state: 'searching' | 'done' | { failed: string }
  /** Asks again, after a failure. */
  retry: () => void
}

const pauseMs = 150

/** Asks the server after a pause in typing, once for each query; a question that is out of date is cancelled. */
function usePaletteSearch(query: string): PaletteSearch {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['palette', query],
    queryFn: async ({ signal }) => {
      if (query !== '') await pause(pauseMs, signal)
      return ask(query, signal)
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  return {
    answer: data ?? null,
    state: isFetching ? 'searching' : error ? { failed: error.message } : 'done',
    retry: () => void refetch(),
  }
}

/** Throws with the reason when there is no answer. */
async function ask(query: string, signal: AbortSignal): Promise<PaletteAnswer> {
  const address = `/api/palette?${new URLSearchParams({ q: query })}`
  const response = await fetch(address, { cache: 'no-store', signal }).catch(() => null)
  const body = await response?.json().catch(() => null)
  if (response?.ok && body) return body
  throw new Error(typeof body?.detail === 'string' ? body.detail : unreachable)
}

const unreachable = 'The server did not answer.'
