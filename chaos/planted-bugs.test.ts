import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { plantedBugs } from './planted-bugs.ts'
import { withBug } from './planted-copy.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

describe('the list of planted bugs', () => {
  test('has at least 117, each under a name of its own', () => {
    expect(plantedBugs.length).toBeGreaterThanOrEqual(117)
    expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length)
  })

  test.each(plantedBugs)('$name still finds its one place, changes it, and has its suites', (bug) => {
    const text = readFileSync(at(bug.file), 'utf8')
    expect(withBug(text, bug)).not.toBe(text)
    expect(bug.caughtBy.filter((suite) => !existsSync(at(suite)))).toEqual([])
    expect(bug.caughtBy.length).toBeGreaterThan(0)
  })

  test('refuses a place that is not there or is there twice', () => {
    const bug = { name: 'a', breaks: '', file: 'f', find: 'x', replace: 'y', caughtBy: [] }
    expect(withBug('axb', bug)).toBe('ayb')
    expect(() => withBug('ab', bug)).toThrow('never')
    expect(() => withBug('axbx', bug)).toThrow('2 times')
  })
})
