import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { memo, useState } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { cn } from '@/components/ui/cn'
import {
  type Element,
  elementChildren,
  type ListItem,
  type MarkdownTree,
  parseMarkdown,
  processor,
} from './inert-markdown'
import { isCheapMarkdown, markdownBlocks } from './markdown-blocks'
import {
  BulletList,
  CodeFrame,
  components,
  ItemFrame,
  OrderedList,
  Paragraph,
  TableFrame,
} from './markdown-elements'
import {
  type Block,
  type Item,
  inGroups,
  type ListBlock,
  type Piece,
  readBlock,
} from './markdown-pieces'
import { laidOutWhenNear } from './scroll-region'
import { VisibleText } from './visible-text'

/** A longer answer is shown as plain text, because formatting it would block the page. */
const longestText = 100_000

/** Shows a model's answer. What is complete is neither parsed nor rendered again while the end of the text grows. */
export function Markdown({ text }: { text: string }) {
  const [reader] = useState(newReader)
  const isLong = text.length > longestText
  const groups = isLong ? [] : inGroups(readKept(reader, text), blocksAtOnce)
  return (
    <div className="max-w-[80ch] text-normal [overflow-wrap:anywhere]">
      {isLong && <PlainBlock text={text} />}
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
        <Blocks key={at} blocks={group} isComplete={at < groups.length - 1} />
      ))}
    </div>
  )
}

const blocksAtOnce = 20

type BlocksProps = { blocks: readonly Block[]; isComplete: boolean }

/** Shows some blocks. Once they are complete, the browser lays them out and paints them only near the screen. */
const Blocks = memo(
  function Blocks({ blocks, isComplete }: BlocksProps) {
    return (
      <div className={cn('my-2 first:mt-0 last:mb-0', isComplete && laidOutWhenNear)}>
        {blocks.map((block, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
          <div key={at} className="my-2 first:mt-0 last:mb-0">
            <BlockView block={block} />
          </div>
        ))}
      </div>
    )
  },
  (a, b) =>
    a.isComplete === b.isComplete &&
    a.blocks.length === b.blocks.length &&
    a.blocks.every((block, at) => block === b.blocks[at]),
)

/** Keeps what was read of a growing text, so that equal parts stay the same objects. */
type Reader = { text: string; sources: string[]; blocks: Block[]; pieces: Map<string, Piece> }

function newReader(): Reader {
  return { text: '', sources: [], blocks: [], pieces: new Map() }
}

/** Returns the blocks of a text. They depend on the text alone: the reader only saves work. */
function readKept(reader: Reader, text: string): Block[] {
  if (reader.text === text) return reader.blocks
  const used = new Map<string, Piece>()
  const parse = (source: string): Piece => {
    const piece = used.get(source) ?? reader.pieces.get(source) ?? parsed(source)
    used.set(source, piece)
    return piece
  }
  const sources = markdownBlocks(text)
  reader.blocks = sources.map((source, at) => {
    const known = source === reader.sources[at] ? reader.blocks[at] : undefined
    return known ?? readBlock(source, parse)
  })
  reader.sources = sources
  reader.pieces = used
  reader.text = text
  return reader.blocks
}

function parsed(source: string): Piece {
  if (!isCheapMarkdown(source)) return { source, tree: null }
  try {
    return { source, tree: parseMarkdown(source) }
  } catch {
    return { source, tree: null }
  }
}

/** Shows Markdown as the parser reads it as a whole. */
export function WholeMarkdown({ text }: { text: string }) {
  return <Text piece={parsed(text)} />
}

/** Shows a block. `tight`: in an item of a list without blank lines, where paragraphs have no space around them. */
const BlockView = memo(function BlockView({ block, tight }: { block: Block; tight?: boolean }) {
  switch (block.type) {
    case 'text':
      return <Text piece={block} tight={tight} />
    case 'code':
      return <Code pieces={block.pieces} />
    case 'words': {
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces only grow at the end
      const words = block.pieces.map((piece, at) => <Words key={at} piece={piece} />)
      return tight ? words : <Paragraph>{words}</Paragraph>
    }
    case 'list':
      return <List list={block} />
    case 'table':
      return <Table parts={block.parts} />
    default:
      return block satisfies never
  }
})

const Text = memo(
  function Text({ piece: { source, tree }, tight }: { piece: Piece; tight?: boolean }) {
    return shownOr(source, () => {
      if (tree === null || tight === undefined) return tree && htmlOf(tree)
      // In a list, because that decides how paragraphs are shown.
      const item = { type: 'listItem', spread: !tight, children: tree.children } as ListItem
      return itemsOf([item], !tight)[0]?.children
    })
  },
  (a, b) =>
    a.piece.tree === b.piece.tree && a.piece.source === b.piece.source && a.tight === b.tight,
)

const Words = memo(function Words({ piece: { source, tree } }: { piece: Piece }) {
  const space = /\s$/.exec(source)?.[0]
  return (
    <>
      {shownOr(source, () => elementChildren(tree && htmlOf(tree))[0]?.children)}
      {space}
    </>
  )
})

const itemsAtOnce = 20

function List({ list: { start, isOrdered, isLoose, items } }: { list: ListBlock }) {
  const Frame = isOrdered ? OrderedList : BulletList
  const groups = inGroups(items, itemsAtOnce)
  return (
    <Frame start={start}>
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items only grow at the end
        <Items key={at} items={group} isLoose={isLoose} />
      ))}
    </Frame>
  )
}

type ItemsProps = { items: readonly Item[]; isLoose: boolean }

const Items = memo(
  function Items({ items, isLoose }: ItemsProps) {
    // biome-ignore lint/suspicious/noArrayIndexKey: items only grow at the end
    return items.map((item, at) => <ItemView key={at} item={item} isLoose={isLoose} />)
  },
  (a, b) =>
    a.isLoose === b.isLoose &&
    a.items.length === b.items.length &&
    a.items.every((item, at) => isSame(item, b.items[at])),
)

const ItemView = memo(
  function ItemView({ item, isLoose }: { item: Item; isLoose: boolean }) {
    if ('node' in item) return shownOr(item.source, () => itemsOf([item.node], isLoose))
    return (
      <ItemFrame>
        {item.blocks.map((block, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
          <BlockView key={at} block={block} tight={!isLoose} />
        ))}
      </ItemFrame>
    )
  },
  (a, b) => a.isLoose === b.isLoose && isSame(a.item, b.item),
)

/** Returns whether two items are the same. Items of blocks may have changed; their blocks know. */
function isSame(a: Item, b: Item | undefined): boolean {
  return b !== undefined && 'node' in a && 'node' in b && a.node === b.node
}

/** Returns the elements of the items of a list, alone. */
function itemsOf(items: ListItem[], isLoose: boolean): Element[] {
  const list = { type: 'list' as const, spread: isLoose, children: items }
  return elementChildren(elementChildren(htmlOf({ type: 'root', children: [list] }))[0])
}

function Table({ parts }: { parts: Piece[] }) {
  const rows = parts.length > 1 || (parts[0]?.source.trim().split('\n').length ?? 0) > 2
  return (
    <TableFrame>
      {parts[0] && <TablePart piece={parts[0]} tag="thead" />}
      {rows && (
        <tbody>
          {parts.map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows only grow at the end
            <TablePart key={at} piece={piece} tag="tbody" />
          ))}
        </tbody>
      )}
    </TableFrame>
  )
}

/** Shows the head of a table, or the rows of a part. */
const TablePart = memo(function TablePart({ piece, tag }: { piece: Piece; tag: string }) {
  return shownOr(piece.source, () => {
    const [table] = elementChildren(piece.tree && htmlOf(piece.tree))
    const found = elementChildren(table).filter(({ tagName }) => tagName === tag)
    // The text between rows is white space, which a table must not have.
    return tag === 'thead' ? found : found[0] && elementChildren(found[0])
  })
})

function htmlOf(tree: MarkdownTree): Element {
  return processor.runSync(tree) as unknown as Element
}

/**
 * Returns the elements that `find` finds, or the plain text when there are none, or the plugins throw, because it is
 * nested too deep.
 */
function shownOr(source: string, find: () => Element | Element['children'] | null | undefined) {
  try {
    const found = find()
    if (!found) return <PlainBlock text={source} />
    const root = { type: 'root' as const, children: Array.isArray(found) ? found : found.children }
    return toJsxRuntime(root, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true })
  } catch {
    return <PlainBlock text={source} />
  }
}

function Code({ pieces }: { pieces: string[] }) {
  return (
    <CodeFrame>
      <code className="font-mono text-mono text-strong">
        <bdi>
          {pieces.map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: code only grows at the end
            <CodePiece key={at} text={piece} />
          ))}
        </bdi>
      </code>
    </CodeFrame>
  )
}

const CodePiece = memo(function CodePiece({ text }: { text: string }) {
  return <VisibleText text={text} />
})

function PlainBlock({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap">
      <VisibleText text={text} />
    </p>
  )
}
