import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDrawnPath, type Station } from '@/scripts/drawn-path'
import { readImportGraph, wayOfImports } from '@/scripts/import-graph'

// The drawing in ARCHITECTURE.md is true: what it draws can be derived from the imports.
const graph = readImportGraph()
const path = readDrawnPath(readFileSync('ARCHITECTURE.md', 'utf8'))

/** Returns the files of a station: one, or all of a folder where the drawing has a name in angle brackets. */
function filesOf({ file }: Station): string[] {
  if (!file.includes('<')) return graph.texts.has(file) ? [file] : []
  const pattern = new RegExp(`^${file.replaceAll('.', '\\.').replace(/<\w+>/g, '[a-z-]+')}$`)
  return [...graph.texts.keys()].filter((each) => pattern.test(each) && !each.includes('.test.'))
}

const imports = (from: string, to: readonly string[]) =>
  graph.importsOf(from).some((file) => to.includes(file))

/**
 * Returns whether two stations are joined: by an import of the next one, or on the way back of the one before; by a
 * value that another file gives; or by the address of a route that the next one or a file that it imports requests.
 */
function isJoined(before: readonly Station[], next: Station, direction: 'down' | 'up'): boolean {
  const last = before.at(-1)
  const [from = ''] = last ? filesOf(last) : []
  const to = filesOf(next)
  const { given } = next
  if (given === null) {
    return imports(from, to) || (direction === 'up' && to.some((file) => imports(file, [from])))
  }
  if (given.by === 'HTTP') return to.some((file) => asksFor(file, from))
  return isGiven(before.flatMap(filesOf), to, given)
}

/**
 * Returns whether a file gives the next station as a value, under a name that it and a station before use: the next
 * station gives itself, or the file imports it, or both it and the station before import the file. An earlier station
 * is, imports or leads to the file.
 */
function isGiven(
  before: readonly string[],
  to: readonly string[],
  given: { by: string; as: string },
): boolean {
  const from = before.at(-1) ?? ''
  if (!names(given.by, given.as) || !before.some((file) => names(file, given.as))) return false
  if (to.includes(given.by)) return imports(given.by, [from])
  const isShared = to.some((file) => imports(file, [given.by]))
  if (imports(from, [given.by]) && (isShared || imports(given.by, to))) return true
  if (before.includes(given.by)) return imports(given.by, to)
  const isReached = before.some((file) => wayOfImports(graph, file, given.by) !== null)
  return isReached && to.some((file) => wayOfImports(graph, given.by, file) !== null)
}

function names(file: string, value: string): boolean {
  return value !== '' && new RegExp(`\\b${value}\\b`).test(graph.texts.get(file) ?? '')
}

function asksFor(file: string, route: string): boolean {
  const [, address] = /^app(\/api\/.+)\/route\.ts$/.exec(route) ?? []
  if (!address) return false
  const pattern = new RegExp(address.replace(/\[\w+\]/g, '\\$\\{[^}]+\\}'))
  return [file, ...graph.importsOf(file)].some((each) => pattern.test(graph.texts.get(each) ?? ''))
}

/** Returns the pairs of neighbouring stations that are not joined. */
function gaps(stations: readonly Station[], direction: 'down' | 'up'): string[] {
  return stations.slice(1).flatMap((next, index) => {
    const before = stations.slice(0, index + 1)
    return isJoined(before, next, direction) ? [] : [`${before.at(-1)?.file} -> ${next.file}`]
  })
}

test.each([
  ['to a model', path.toModel, 14],
  ['to a tool', path.toTool, 14],
  ['back to the page', path.back, 11],
])('the path %s exists, is short, and comes nowhere twice', (_words, stations, most) => {
  expect(stations.length).toBeGreaterThan(4)
  expect(stations.length).toBeLessThanOrEqual(most)
  expect(stations.filter((station) => filesOf(station).length === 0)).toEqual([])
  expect(new Set(stations.map(({ file }) => file)).size).toBe(stations.length)
})

test.each([
  ['to a model', path.toModel],
  ['to a tool', path.toTool],
])('each station on the way %s is given the next one, and none goes back', (_words, stations) => {
  expect(gaps(stations, 'down')).toEqual([])
  const back = stations.flatMap((station, index) => {
    const earlier = stations.slice(0, index).flatMap(filesOf)
    // A verb gives its own work to what calls it.
    const isGiver = station.file === station.given?.by
    return isGiver ? [] : filesOf(station).filter((file) => imports(file, earlier))
  })
  expect(back).toEqual([])
})

test('the stations on the way back are joined', () => {
  expect(gaps(path.back, 'up')).toEqual([])
})

test('a gap in the drawing is found', () => {
  const [first, , , later] = path.toModel
  if (!first || !later) throw new Error('The drawing has too few stations.')
  expect(gaps([first, later], 'down')).toEqual([`${first.file} -> ${later.file}`])
  expect(gaps([later, first], 'up')).toHaveLength(1)
  const [wrong] = path.back
  if (!wrong) throw new Error('The drawing has no way back.')
  expect(gaps([first, { ...later, given: { by: wrong.file, as: 'append' } }], 'down')).toHaveLength(
    1,
  )
})
