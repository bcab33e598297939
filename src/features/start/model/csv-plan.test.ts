import { describe, expect, it } from 'vitest'
import { sniffCsv } from '#lib/csv/csv-sniff.ts'
import { planFor, planProblems, repeatedIds, schemaOf } from './csv-plan.ts'

const customers =
  'Customer No,First name,zip,joined\n17,Ada,01234,2020-01-02\n18,Bo,99999,2021-05-06\n'

describe('planFor', () => {
  it('names graph and type after the file and attributes after the columns', () => {
    const plan = planFor('Customers 2020.csv', sniffCsv(customers))
    expect(plan).toMatchObject({ graph: 'customers_2020', typeName: 'Customers_2020' })
    expect(planFor('cities.csv', sniffCsv(customers)).typeName).toBe('City')
    expect(planFor('accounts.tsv', sniffCsv(customers)).typeName).toBe('Account')
    expect(planFor('orders.csv', sniffCsv(customers)).typeName, 'a reserved word').toBe('Order_')
    expect(planFor('bus.csv', sniffCsv(customers)).typeName).toBe('Bus')
    expect(plan.columns.map(({ attribute }) => attribute)).toEqual([
      'Customer_No',
      'First_name',
      'zip',
      'joined',
    ])
  })

  it('keeps what a number would change as text', () => {
    const long = sniffCsv('id,n,m\n1,9223372036854775807,9223372036854775808\n')
    const types = planFor('x.csv', long).columns.map(({ type }) => type)
    expect(types).toEqual(['INT', 'INT', 'STRING'])
    const zip = planFor('c.csv', sniffCsv(customers)).columns[2]
    expect(zip?.type).toBe('STRING')
  })

  it('takes for the id a column that is called so, else one whose values differ', () => {
    expect(planFor('x.csv', sniffCsv('n,account_id\n1,2\n2,3\n')).idColumn).toBe(1)
    expect(planFor('x.csv', sniffCsv('kind,id,name\n1,7,ada\n1,7,bo\n')).idColumn).toBe(2)
    expect(repeatedIds(sniffCsv('kind,id,name\n1,7,ada\n1,7,bo\n'), 1)).toBe(1)
  })
})

describe('planProblems', () => {
  const plan = planFor('customers.csv', sniffCsv(customers))

  it('finds nothing in a first plan', () => {
    expect([...planProblems(plan, [])]).toEqual([])
  })

  it('names a graph that is there and attributes that are not apart', () => {
    const columns = plan.columns.with(1, { attribute: 'zip', type: 'STRING', isKept: true })
    const problems = planProblems({ ...plan, typeName: '1', columns }, ['customers'])
    expect([...problems.keys()]).toEqual(['graph', 'typeName', 2])
  })

  it('asks nothing of a column that is left out', () => {
    const columns = plan.columns.with(1, { attribute: '', type: 'STRING', isKept: false })
    expect(planProblems({ ...plan, columns }, []).size).toBe(0)
  })
})

describe('schemaOf', () => {
  it('is one local vertex type with the id as an attribute', () => {
    const plan = planFor('customers.csv', sniffCsv(customers))
    const { VertexTypes } = schemaOf({
      ...plan,
      columns: plan.columns.with(3, { attribute: 'joined', type: 'DATETIME', isKept: false }),
    })
    expect(VertexTypes).toMatchObject([
      {
        Name: 'Customer',
        IsLocal: true,
        PrimaryId: { AttributeName: 'Customer_No', AttributeType: { Name: 'INT' } },
        Attributes: [{ AttributeName: 'First_name' }, { AttributeName: 'zip' }],
      },
    ])
  })
})
