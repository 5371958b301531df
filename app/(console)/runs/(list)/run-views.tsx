'use client'
import type { RunColumnKey, ViewQuery } from '@toolgate/server/runs/lists/view-schemas'
import {
  Bookmark,
  Check,
  ChevronDown,
  Copy,
  Ellipsis,
  Pencil,
  Share2,
  Trash2,
  Undo2,
  UserX,
} from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction, useAct, useDone } from '@/components/forms/use-act'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { lazyPart } from '@/components/ui/lazy-part'
import { MenuButton } from '@/components/ui/menu-button'
import { useToast } from '@/components/ui/toast'
import { visibleText } from '@/lib/words/clean-text'
import { deleteView, restoreView, shareView, updateView } from '../actions'
import type { ListedView } from './open-view'

const ViewDialog = lazyPart(async () => (await import('./view-dialog')).ViewDialog)

type Props = {
  views: readonly ListedView[]
  /** The view that is open. */
  view: ListedView | null
  /** The address names a view that the reader may not use, or that was deleted. */
  isGone: boolean
  isChanged: boolean
  /** Current state of the list, which a save stores. */
  query: ViewQuery
  columns: RunColumnKey[]
  /** The list differs from the default one. */
  isNarrowed: boolean
  /** The address of the list as it is, in no view and in the one that is open. */
  plainHref: string
  viewHref: string | null
  admin: boolean
}

type Dialog = 'save' | 'rename'

/** Shows the menu of saved views, and what can be done with the one that is open. */
export function RunViews(props: Props) {
  const { views, view, isGone, isChanged, isNarrowed, query, columns, plainHref } = props
  const [dialog, setDialog] = useState<Dialog | null>(null)
  return (
    <div
      className={cn(
        'flex min-w-0 flex-wrap items-center gap-2',
        views.length === 0 && !view && !isGone && !isNarrowed && 'max-md:hidden',
      )}
    >
      <Picker views={views} view={view} />
      {isGone && <span className="text-muted text-sm">Deleted, or no longer shared.</span>}
      {view && isChanged && <Changes {...props} view={view} onSaveAs={() => setDialog('save')} />}
      {view && <ViewActions {...props} view={view} onOpen={setDialog} />}
      {!view && isNarrowed && (
        <Button variant="ghost" onClick={() => setDialog('save')} {...ViewDialog.soon}>
          <Bookmark className="size-4" aria-hidden />
          Save view
        </Button>
      )}
      {dialog && (
        <ViewDialog
          renamed={dialog === 'rename' ? view : null}
          name={dialog === 'rename' || !view ? (view?.name ?? '') : `${view.name} (copy)`}
          query={query}
          columns={columns}
          plainHref={plainHref}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

function Picker({ views, view }: Pick<Props, 'views' | 'view'>) {
  const router = useRouter()
  const entry = (each: ListedView) => ({
    label: visibleText(each.mine ? each.name : `${each.name} · ${each.by}`),
    icon: each.id === view?.id ? Check : each.shared ? Share2 : Bookmark,
    isChecked: each.id === view?.id,
    onSelect: () => router.push(each.href),
  })
  const [own, others] = [views.filter(({ mine }) => mine), views.filter(({ mine }) => !mine)]
  const all = { label: 'All runs', icon: view ? Bookmark : Check, isChecked: view === null }
  return (
    <MenuButton
      align="start"
      entries={[
        { ...all, onSelect: () => router.push('/runs') },
        own.length > 0 && null,
        ...own.map(entry),
        others.length > 0 && null,
        ...others.map(entry),
      ]}
      foot={
        views.length === 0 && (
          <p className="px-2 py-1 text-muted text-sm">Filter the list, then save a view.</p>
        )
      }
    >
      <Button className="min-w-0 max-w-72">
        <Bookmark className="size-4 shrink-0" aria-hidden />
        <span className="truncate">View: {view ? visibleText(view.name) : 'All runs'}</span>
        <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
      </Button>
    </MenuButton>
  )
}

/** Says that the list is not as the view is saved, and saves or resets it. */
function Changes({
  view,
  query,
  columns,
  viewHref,
  admin,
  onSaveAs,
}: Props & { view: ListedView; onSaveAs: () => void }) {
  const router = useRouter()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const result = await sendAction(() => updateView({ id: view.id, query, columns }))
    setBusy(false)
    if (!result.ok) {
      const description = result.error.message
      return toast({ tone: 'error', title: 'Not saved', description })
    }
    toast({ tone: 'ok', title: `Saved ${visibleText(view.name)}` })
    router.replace(viewHref ?? view.href, { scroll: false })
    router.refresh()
  }
  const maySave = view.mine && (admin || !view.shared)
  return (
    <>
      <Badge tone="warning">Changed</Badge>
      {maySave ? (
        <Button loading={busy} onClick={() => void save()}>
          Save
        </Button>
      ) : (
        <Button onClick={onSaveAs} {...ViewDialog.soon}>
          Save as my view
        </Button>
      )}
      <Button variant="ghost" onClick={() => router.push(view.href)}>
        <Undo2 className="size-4" aria-hidden />
        Reset
      </Button>
    </>
  )
}

function ViewActions({
  view,
  admin,
  plainHref,
  onOpen,
}: Props & { view: ListedView; onOpen: (dialog: Dialog) => void }) {
  const router = useRouter()
  const { busy, act } = useAct()
  const tellDone = useDone()
  const toast = useToast()
  const { id, mine, shared } = view
  const name = visibleText(view.name)
  const share = (next: boolean) =>
    act(() => shareView({ id, shared: next }), {
      failed: next ? `${name} was not shared` : `${name} is still shared`,
      done: next ? `Everybody sees ${name} now` : `${name} is no longer shared`,
      undo: mine ? () => shareView({ id, shared: !next }) : undefined,
      about: `view ${id}`,
    })
  const remove = async () => {
    const result = await sendAction(() => deleteView({ id }))
    if (!result.ok) {
      const description = result.error.message
      return toast({ tone: 'error', title: `${name} was not deleted`, description })
    }
    router.push(plainHref)
    const undo = () => restoreView({ id })
    tellDone({ title: `Deleted ${name}`, undo, about: `view ${id}` })
  }
  const mayEdit = mine && (admin || !shared)
  const mayEnd = mine || admin
  return (
    <MenuButton
      align="start"
      entries={[
        { label: 'Save as new view', icon: Copy, onSelect: () => onOpen('save') },
        mayEdit && { label: 'Rename', icon: Pencil, onSelect: () => onOpen('rename') },
        mine &&
          admin &&
          !shared && {
            label: 'Share with everybody',
            icon: Share2,
            onSelect: () => void share(true),
          },
        shared &&
          mayEnd && { label: 'Stop sharing', icon: UserX, onSelect: () => void share(false) },
        mayEnd && null,
        mayEnd && { label: 'Delete view', icon: Trash2, onSelect: () => void remove() },
      ]}
    >
      <IconButton label="View actions" variant="secondary" loading={busy}>
        {!busy && <Ellipsis aria-hidden />}
      </IconButton>
    </MenuButton>
  )
}
