Feature: Clauses

  Background:
    Given an empty graph
    And having executed:
      """
      CREATE (ann:Person {name: 'Ann', age: 30}), (ben:Person {name: 'Ben', age: 25}),
             (cat:Person {name: 'Cat', age: 41}), (rome:City {title: 'Rome'})
      CREATE (ann)-[:KNOWS {since: 2015}]->(ben), (ben)-[:KNOWS {since: 2018}]->(cat),
             (ann)-[:LIVES]->(rome), (cat)-[:LIVES]->(rome)
      """

  Scenario: a pattern gives nodes, relationships and properties
    When executing query:
      """
      MATCH (a:Person)-[k:KNOWS]->(b)
      RETURN a, k, b.name AS name
      """
    Then the result should be, in any order:
      | a                            | k                     | name  |
      | (:Person {name: 'Ann', age: 30}) | [:KNOWS {since: 2015}] | 'Ben' |
      | (:Person {name: 'Ben', age: 25}) | [:KNOWS {since: 2018}] | 'Cat' |
    And no side effects

  Scenario: rows without a match are dropped, or padded with null
    When executing query:
      """
      MATCH (p:Person)
      OPTIONAL MATCH (p)-[:LIVES]->(c:City)
      RETURN p.name AS name, c.title AS city ORDER BY name
      """
    Then the result should be, in order:
      | name  | city   |
      | 'Ann' | 'Rome' |
      | 'Ben' | null   |
      | 'Cat' | 'Rome' |

  Scenario: aggregates group by the other items, and a parameter is compared
    Given parameters are:
      | least | 26 |
    When executing query:
      """
      MATCH (p:Person)-[:LIVES]->(c:City) WHERE p.age >= $least
      WITH c, count(*) AS people, collect(p.name) AS names
      RETURN c.title AS city, people, names
      """
    Then the result should be (ignoring element order for lists):
      | city   | people | names          |
      | 'Rome' | 2      | ['Cat', 'Ann'] |

  Scenario: UNWIND makes rows, SKIP and LIMIT cut them
    When executing query:
      """
      UNWIND [5, 3, 4, 1] AS x
      WITH x ORDER BY x DESC SKIP 1 LIMIT 2
      RETURN collect(x) AS xs, sum(x) AS total
      """
    Then the result should be, in any order:
      | xs     | total |
      | [4, 3] | 7     |

  Scenario: UNION joins different rows
    When executing query:
      """
      MATCH (c:City) RETURN c.title AS name
      UNION
      MATCH (p:Person) WHERE p.age > 40 RETURN p.name AS name
      UNION
      MATCH (p:Person) WHERE p.age = 41 RETURN p.name AS name
      """
    Then the result should be, in any order:
      | name   |
      | 'Rome' |
      | 'Cat'  |
