import { spawn } from 'node:child_process'

/** Whom a program runs as; null = as ourselves. */
export type Identity = { uid: number; gid: number } | null

/** What any program may need of our environment. The rest holds secrets, and a server would keep them for years. */
const ordinary = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'SystemRoot']

/** Runs a program to its end. Throws an Error whose message is what it wrote to stderr. */
export function runBinary(file: string, args: string[], identity: Identity): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...identity,
      cwd: '/',
      // A server started by pg_ctl inherits these: a pipe for stdout would keep us waiting for as long as it lives.
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...ordinaryEnv(), NODE_ENV: process.env.NODE_ENV, LC_ALL: 'C' },
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      child.stderr.destroy()
      if (code === 0) return resolve()
      reject(new Error(complaint.trim() || `${file} ended with code ${code}`))
    })
  })
}

function ordinaryEnv(): Record<string, string> {
  const entries = ordinary.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
