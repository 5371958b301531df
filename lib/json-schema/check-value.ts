/**
 * An error of a value and its path. `unknown`: names of properties that the schema does not allow. `isKind`: the schema
 * is about another kind of value.
 */
export type SchemaProblem = {
  path: (string | number)[]
  message: string
  unknown?: string[]
  isKind?: true
}

/** A step into a value, and the one before it. */
type Place = { before: Place | null; key: string | number }

/** A resource (a schema with an address) that the check is in, and the one that it came from. */
export type Scope = { before: Scope | null; uri: string }

/** The properties and items of a value that a part of the schema had something to say about. */
type Marks = Set<string | number>

/** One look at a value. `marks` and `problems` are null where nobody reads them. */
export type CheckState = {
  value: unknown
  place: Place | null
  scope: Scope | null
  marks: Marks | null
  problems: SchemaProblem[] | null
  work: Work
}

/** State of checking one value: remaining steps, depth of nested references, and results kept for later keywords. */
type Work = Needs & {
  steps: number
  textSteps: number
  depth: number
  isTooMuch: boolean
  /** Number of properties by object. Counting them takes as many steps. */
  sizes: WeakMap<object, number>
}

/** Data that the keywords of a schema read: marks (`unevaluatedProperties`), or scopes (`$dynamicRef`). */
export type Needs = { marks: boolean; scopes: boolean }

/** Returns whether the value fits one keyword. */
export type Check = (look: CheckState) => boolean

/**
 * A schema that is ready. `leftovers` are about what no check marked, and come last. `takesNull`: whatever the checks say.
 * `uri`: the resource that it belongs to.
 */
export type SchemaNode = { checks: Check[]; leftovers: Check[]; takesNull: boolean; uri: string }

/** About a tenth of a second on a slow machine, each. */
const mostSteps = 1_000_000
const mostTextSteps = 4_000_000
const mostDepth = 400
const mostProblems = 20

export function newNode(uri: string, checks: Check[] = []): SchemaNode {
  return { checks, leftovers: [], takesNull: false, uri }
}

/** Counts work that a look is about to do; returns false when it would be too much. */
export function spend({ work }: CheckState, steps: number): boolean {
  work.steps -= steps
  if (work.steps < 0) work.isTooMuch = true
  return !work.isTooMuch
}

/** Counts the steps of a pattern in a text, at worst; returns false when they would be too many. */
export function spendOnText({ work }: CheckState, steps: number): boolean {
  work.textSteps -= steps
  if (work.textSteps < 0) work.isTooMuch = true
  return !work.isTooMuch
}

/** Returns how many properties an object has. */
export function countProperties(look: CheckState, object: object): number {
  const { sizes } = look.work
  const known = sizes.get(object)
  if (known !== undefined) return known
  const { length } = Object.keys(object)
  spend(look, length)
  sizes.set(object, length)
  return length
}

/** Adds what another part of the schema marked. */
export function addMarks(look: CheckState, more: Marks | null): void {
  if (!look.marks || !more || !spend(look, more.size)) return
  for (const key of more) look.marks.add(key)
}

/** Looks at a value with a schema. What fails marks nothing. */
export function fits(node: SchemaNode, look: CheckState): boolean {
  const { work, value } = look
  if (!spend(look, 3 + node.checks.length)) return false
  if (work.depth >= mostDepth) {
    work.isTooMuch = true
    return false
  }
  if (node.takesNull && value === null) return true
  // Written out, because this is most of what a check does, and a copy of all fields takes several times as long.
  const inner: CheckState = {
    value,
    place: look.place,
    scope: work.scopes ? inScope(look.scope, node.uri) : null,
    marks: work.marks && typeof value === 'object' ? new Set() : null,
    problems: look.problems,
    work,
  }
  work.depth += 1
  const isFit = holds(node.checks, inner) && holds(node.leftovers, inner)
  work.depth -= 1
  if (isFit) addMarks(look, inner.marks)
  return isFit
}

function holds(checks: readonly Check[], look: CheckState): boolean {
  let isFit = true
  for (const check of checks) {
    isFit = check(look) && isFit
    if (!goesOn(look, isFit)) break
  }
  return isFit
}

/** Returns whether further checks matter: to find out whether the value fits, or to say what else is wrong. */
export function goesOn({ problems, work }: CheckState, isFit: boolean): boolean {
  if (work.isTooMuch) return false
  return isFit || (problems !== null && problems.length < mostProblems)
}

/** Returns the scopes with a resource among them; the outermost ones count, so one that is there is not added again. */
function inScope(scope: Scope | null, uri: string): Scope {
  for (let step = scope; step; step = step.before) if (step.uri === uri) return scope ?? step
  return { before: scope, uri }
}

/** Looks at a value inside of the one that is looked at. */
export function fitsInside(
  node: SchemaNode,
  look: CheckState,
  key: string | number,
  value: unknown,
) {
  const { place, scope, problems, work } = look
  return fits(node, { value, place: { before: place, key }, scope, marks: null, problems, work })
}

/** Notes that the value does not fit; returns false. */
export function wrong(
  { place, problems }: CheckState,
  message: string,
  more: { key?: string | number; unknown?: string[]; isKind?: true } = {},
): false {
  if (!problems || problems.length >= mostProblems) return false
  const { key, ...rest } = more
  const at = key === undefined ? place : { before: place, key }
  problems.push({ path: pathOf(at), message, ...rest })
  return false
}

function pathOf(place: Place | null): (string | number)[] {
  const path: (string | number)[] = []
  for (let step = place; step; step = step.before) path.push(step.key)
  return path.reverse()
}

/** Looks with marks of its own, and without a word about what is wrong unless a list for that is given. */
export function tryLook(look: CheckState, problems: SchemaProblem[] | null = null): CheckState {
  return { ...look, marks: look.marks && new Set(), problems }
}

/**
 * Returns what is wrong with a value; empty = it fits. Never throws. A value that takes too much work does not fit, however
 * the work was to end.
 */
export function checkValue(node: SchemaNode, value: unknown, needs: Needs): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const work: Work = {
    ...needs,
    steps: mostSteps,
    textSteps: mostTextSteps,
    depth: 0,
    isTooMuch: false,
    sizes: new WeakMap(),
  }
  const isFit = looksThrough(node, { value, place: null, scope: null, marks: null, problems, work })
  if (work.isTooMuch) {
    return [{ path: [], message: 'it is nested too deeply, or too large, to be checked' }]
  }
  if (isFit) return []
  return problems.length > 0 ? problems : [{ path: [], message: 'it does not fit the schema' }]
}

function looksThrough(node: SchemaNode, look: CheckState): boolean {
  try {
    return fits(node, look)
  } catch (error) {
    // The caller may have left little of the stack.
    if (!(error instanceof RangeError)) throw error
    look.work.isTooMuch = true
    return false
  }
}
