type Broken = { file: string; passed: number; failed: number; names: string[] }
type Counts = {
  passed: number
  failed: number
  lucky: string[]
  broken: Broken[]
  outside?: string[]
}

type FileResult = {
  name: string
  status: string
  assertionResults: { status: string; fullName: string }[]
}
export function countFiles(report: { testResults: FileResult[] }, output: string): Counts

type Suite = {
  specs?: { file: string; line: number; title: string; tests: { status: string }[] }[]
  suites?: Suite[]
}
export function countJourneys(report: {
  stats: { expected: number; flaky: number; unexpected: number }
  suites: Suite[]
}): Counts

export function tryAgain(
  first: Counts,
  runAlone: (file: string) => Promise<Counts>,
): Promise<Counts>

export function addUp(results: ({ passed: number; failed: number } & Partial<Counts>)[]): {
  passed: number
  failed: number
  lines: string[]
}
